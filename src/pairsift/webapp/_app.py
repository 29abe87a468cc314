"""The routes of the page: each reads its fields, asks the desk, and answers in JSON."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pairsift.exceptions import ConstraintError, StorageError
from pairsift.webapp._desk import MODES, Desk, StaleError
from pairsift.webapp._exports import EXPORTS, import_constraints
from pairsift.webapp._fields import Fields
from pairsift.webapp._guard import ENTER, App, Door, Guard, Refusal

STATIC = Path(__file__).parent / "static"
FILE_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
Json = dict[str, Any]
Handler = Callable[[Desk, Fields], Json]


def _who(fields: Fields) -> tuple[str, str]:
    return fields.text("person", default=""), fields.choice("mode", MODES)


def _when(fields: Fields) -> tuple[str, str, int]:
    return *_who(fields), fields.whole("version")


def _state(desk: Desk, fields: Fields) -> Json:
    return desk.state(*_who(fields))


def _answer(desk: Desk, fields: Fields) -> Json:
    question, said = fields.text("question"), fields.pile("answer")
    return desk.answer(*_who(fields), question, said, fields.seconds("seconds"))


def _opinion(desk: Desk, fields: Fields) -> Json:
    return desk.opinion(*_who(fields), fields.text("question"))


def _undo(desk: Desk, fields: Fields) -> Json:
    return desk.undo(*_when(fields))


def _redo(desk: Desk, fields: Fields) -> Json:
    return desk.redo(*_when(fields))


def _merge(desk: Desk, fields: Fields) -> Json:
    return desk.merge(*_when(fields), fields.whole("pile"), fields.whole("other"))


def _move(desk: Desk, fields: Fields) -> Json:
    return desk.move(*_when(fields), fields.whole("row"), fields.pile("pile"))


def _rename(desk: Desk, fields: Fields) -> Json:
    return desk.rename(*_when(fields), fields.whole("pile"), fields.text("name"))


def _retell(desk: Desk, fields: Fields) -> Json:
    said = fields.choice("answer", ("same", "different", "unsure"))
    rows = fields.rows("rows", most=2)
    if len(rows) != 2:
        raise Refusal(400, "rows must be two row numbers.")
    return desk.retell(*_when(fields), rows, said)


def _import(desk: Desk, fields: Fields) -> Json:
    person, mode = _who(fields)
    pairs = import_constraints(desk, fields.raw("text"))
    return desk.take_pairs(person, mode, pairs)


def _compare(desk: Desk, fields: Fields) -> Json:
    first = fields.whole("first", default=0)
    return desk.compare(fields.rows("rows"), fields.text("find", default=""), first)


def _pile(desk: Desk, fields: Fields) -> Json:
    return desk.pile(fields.whole("pile"), fields.whole("first", default=0))


def _card(desk: Desk, fields: Fields) -> Json:
    return desk.card(fields.whole("row"))


READS: dict[str, Handler] = {
    "about": lambda desk, fields: desk.about(),
    "state": _state,
    "compare": _compare,
    "pile": _pile,
    "card": _card,
    "insight": lambda desk, fields: desk.insight.latest(),
    "map": lambda desk, fields: {"map": desk.insight.map()},
    "people": lambda desk, fields: desk.people(),
}
WRITES: dict[str, Handler] = {
    "answer": _answer,
    "opinion": _opinion,
    "undo": _undo,
    "redo": _redo,
    "merge": _merge,
    "move": _move,
    "rename": _rename,
    "retell": _retell,
    "import": _import,
}


def create_app(desk: Desk, door: Door) -> App:
    """Return the ASGI app of a desk, behind its door."""

    def page(name: str) -> Callable[[Request], Response]:
        return lambda request: _static(name)

    routes = [
        Route("/", page("index.html")),
        Route("/static/{name}", lambda request: _static(request.path_params["name"])),
        Route("/image/{row:int}", lambda request: _image(desk, request)),
        Route("/export/{name}", lambda request: _export(desk, request)),
        Route(ENTER, _entering(door), methods=["POST"]),
    ]
    for name, handler in READS.items():
        routes.append(Route(f"/api/{name}", _reading(desk, handler)))
    for name, handler in WRITES.items():
        routes.append(Route(f"/api/{name}", _writing(desk, handler), methods=["POST"]))
    app = Starlette(routes=routes)
    app.add_exception_handler(
        404, lambda _, error: _error(404, "there is no such page.")
    )
    app.add_exception_handler(MemoryError, _no_memory)
    return Guard(app, door)


def _reading(desk: Desk, handler: Handler) -> Callable[[Request], Response]:
    def endpoint(request: Request) -> Response:
        fields = Fields(dict(request.query_params))
        return _respond(desk, handler, fields)

    return endpoint


def _writing(desk: Desk, handler: Handler) -> Any:
    async def endpoint(request: Request) -> Response:
        body = await request.body()

        def work() -> Response:
            try:
                fields = Fields.of_json(body)
            except Refusal as refusal:
                return _error(refusal.status, refusal.text)
            return _respond(desk, handler, fields)

        return await run_in_threadpool(work)

    return endpoint


def _respond(desk: Desk, handler: Handler, fields: Fields) -> Response:
    """Answer, or say in one sentence why not and what is asked now."""
    try:
        return JSONResponse(handler(desk, fields))
    except Refusal as refusal:
        return _error(refusal.status, refusal.text)
    except ConstraintError as error:
        return _error(409, str(error), is_stale=isinstance(error, StaleError))
    except StorageError as error:
        # Not saved: the page keeps the answer and sends it again.
        return _error(503, str(error))


def _entering(door: Door) -> Any:
    async def endpoint(request: Request) -> Response:
        try:
            token = Fields.of_json(await request.body()).text("token")
        except Refusal as refusal:
            return _error(refusal.status, refusal.text)
        if door.invitation.knows(token):
            if door.invitation.is_used:
                return _error(
                    401,
                    "this way in works once and has been used: open the link that "
                    "`pairsift label` printed.",
                )
            door.invitation.use()
        elif not door.knows(token):
            return _error(
                401, "this link is not, or no longer, valid: open the one printed last."
            )
        response = JSONResponse({"entered": True})
        response.set_cookie(
            door.cookie, door.token, httponly=True, samesite="strict", path="/"
        )
        return response

    return endpoint


def _static(name: str) -> Response:
    files = {path.name: path for path in STATIC.iterdir()}
    path = files.get(name)
    if path is None or path.suffix not in FILE_TYPES:
        return _error(404, "there is no such page.")
    return Response(path.read_bytes(), media_type=FILE_TYPES[path.suffix])


def _image(desk: Desk, request: Request) -> Response:
    pictures = desk.samples.looks.images
    found = None if pictures is None else pictures.read(request.path_params["row"])
    if found is None:
        return _error(404, "there is no such picture.")
    return Response(found[0], media_type=found[1])


def _export(desk: Desk, request: Request) -> Response:
    name = request.path_params["name"]
    if name not in EXPORTS:
        return _error(404, "there is no such file.")
    media_type, write = EXPORTS[name]
    try:
        text = write(desk)
    except Refusal as refusal:
        return _error(refusal.status, refusal.text)
    except ConstraintError as error:
        return _error(409, str(error))
    kept = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=f"{media_type}; charset=utf-8", headers=kept)


async def _no_memory(request: Request, error: Exception) -> Response:
    # Without a thread of its own, which would need memory.
    return _error(503, "there is not enough memory for this; all answers are kept.")


def _error(status: int, text: str, *, is_stale: bool = False) -> JSONResponse:
    return JSONResponse({"error": text, "is_stale": is_stale}, status_code=status)
