"""Reports: one self-contained HTML page of a ranking, a comparison or a session.

`write` is for users. The other names are the parts that the command line puts its pages
together from.
"""

from pairsift.reports._column_codes import plain_blocks as plain_blocks
from pairsift.reports._comparison_page import (
    comparison_results as comparison_results,
    plus_minus as plus_minus,
    summary_rows as summary_rows,
    write_evaluation as write_evaluation,
)
from pairsift.reports._data_warnings import (
    Cures as Cures,
    columns_are as columns_are,
    data_warnings as data_warnings,
    name_warnings as name_warnings,
    only_sign as only_sign,
    repeated_label as repeated_label,
)
from pairsift.reports._evaluation import Evaluation as Evaluation
from pairsift.reports._needs import (
    kinds_used as kinds_used,
)
from pairsift.reports._page import (
    Section as Section,
    figure as figure,
    paragraph as paragraph,
)
from pairsift.reports._pictures import (
    Line as Line,
    grid_picture as grid_picture,
    line_picture as line_picture,
)
from pairsift.reports._ranking import (
    JUDGED as JUDGED,
    Fit as Fit,
    Ranking as Ranking,
    doubt_text as doubt_text,
    doubtful as doubtful,
    doubtful_answers as doubtful_answers,
    method_of as method_of,
    ranked_features as ranked_features,
    versions as versions,
)
from pairsift.reports._ranking_page import write_report as write_report
from pairsift.reports._safer import SAFER as SAFER
from pairsift.reports._session_page import session_page as session_page
from pairsift.reports._table import (
    Table as Table,
    filled as filled,
    row_name as row_name,
)
from pairsift.reports._write import write

__all__ = ["write"]
