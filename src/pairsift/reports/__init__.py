"""Reports: one self-contained HTML page of a ranking, a comparison or a session.

`write` is for users. The other names are the parts that the command line puts its pages
together from.
"""

from pairsift.reports._comparison_page import comparison_results as comparison_results
from pairsift.reports._comparison_page import summary_rows as summary_rows
from pairsift.reports._comparison_page import write_evaluation as write_evaluation
from pairsift.reports._data_warnings import Cures as Cures
from pairsift.reports._data_warnings import columns_are as columns_are
from pairsift.reports._data_warnings import data_warnings as data_warnings
from pairsift.reports._data_warnings import only_sign as only_sign
from pairsift.reports._data_warnings import repeated_label as repeated_label
from pairsift.reports._evaluation import Evaluation as Evaluation
from pairsift.reports._needs import kinds_used as kinds_used
from pairsift.reports._needs import needs_numbers as needs_numbers
from pairsift.reports._needs import needs_pairs as needs_pairs
from pairsift.reports._page import Section as Section
from pairsift.reports._page import figure as figure
from pairsift.reports._page import html_table as html_table
from pairsift.reports._page import paragraph as paragraph
from pairsift.reports._page import write_page as write_page
from pairsift.reports._pictures import Line as Line
from pairsift.reports._pictures import grid_picture as grid_picture
from pairsift.reports._pictures import line_picture as line_picture
from pairsift.reports._ranking import JUDGED as JUDGED
from pairsift.reports._ranking import Feature as Feature
from pairsift.reports._ranking import Fit as Fit
from pairsift.reports._ranking import Ranking as Ranking
from pairsift.reports._ranking import doubt_text as doubt_text
from pairsift.reports._ranking import doubtful as doubtful
from pairsift.reports._ranking import doubtful_answers as doubtful_answers
from pairsift.reports._ranking import method_of as method_of
from pairsift.reports._ranking import ranked_features as ranked_features
from pairsift.reports._ranking import versions as versions
from pairsift.reports._ranking_page import write_report as write_report
from pairsift.reports._table import Table as Table
from pairsift.reports._table import row_name as row_name
from pairsift.reports._write import write

__all__ = ["write"]
