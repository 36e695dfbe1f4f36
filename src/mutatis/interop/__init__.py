"""Integrations of Mutatis with other tools. Each module serves one tool and imports it.

An integration passes the inputs and relations of a configuration to its tool. It reports the same findings as `mutatis
run`.
"""
