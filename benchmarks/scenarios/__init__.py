"""The scenarios by name; a new one is a class and a line here."""

from benchmarks._scenario import Scenario
from benchmarks.scenarios.active import FullGraphQuestions, SparseGraphQuestions
from benchmarks.scenarios.ask import AskRanking
from benchmarks.scenarios.ask_speed import AskPath, AskQuestion
from benchmarks.scenarios.expansion import Expansion
from benchmarks.scenarios.feature_graph import FeatureGraph
from benchmarks.scenarios.information import InformationPairs
from benchmarks.scenarios.margin import Margin
from benchmarks.scenarios.mrmr import InformationMRMR
from benchmarks.scenarios.recovery import InformationRecovery
from benchmarks.scenarios.relief import RELIEF_SCENARIOS, FirstFit
from benchmarks.scenarios.scale import SCALE_SCENARIOS
from benchmarks.scenarios.scores import GraphScores
from benchmarks.scenarios.subset import Subset

SCENARIOS: dict[str, type[Scenario]] = {
    scenario.name: scenario
    for scenario in (
        Margin,
        Expansion,
        GraphScores,
        Subset,
        InformationPairs,
        InformationMRMR,
        InformationRecovery,
        FullGraphQuestions,
        SparseGraphQuestions,
        FeatureGraph,
        AskRanking,
        AskQuestion,
        AskPath,
        *RELIEF_SCENARIOS,
        FirstFit,
        *SCALE_SCENARIOS,
    )
}
