"""Speed, memory and quality, always beside a reference measured in the same run.

``python -m benchmarks run [SCENARIO ...]`` measures, ``python -m benchmarks list``
names the scenarios.
"""
