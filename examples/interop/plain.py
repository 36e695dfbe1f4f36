"""The same bot and questions without any other tool: the findings that each door must give."""

from pathlib import Path

import bot

import mutatis

if __name__ == "__main__":
    system = mutatis.system("function", target=bot.answer, label="shop-bot")
    run = mutatis.run(system, None, settings=Path(__file__).with_name("mutatis.toml"))
    print(*sorted(finding.id for finding in run.findings))
