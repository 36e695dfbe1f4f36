"""Reads and writes whole numbers in Chinese characters, as used in Chinese and Japanese."""

from __future__ import annotations

_HAN_DIGITS = "零一二三四五六七八九"
_HAN_SCALES = {"十": 10, "百": 100, "千": 1_000}
_HAN_MYRIADS = {"万": 10_000, "亿": 100_000_000}


def han_number(number: int) -> str:
    """Return a whole number below a thousand in Chinese characters.

    >>> [han_number(number) for number in (2, 10, 12, 45, 105, 110)]
    ['二', '十', '十二', '四十五', '一百零五', '一百一十']
    """
    hundreds, rest = divmod(number, 100)
    if hundreds:
        joint = "零" if rest < 10 else "一" if rest < 20 else ""  # 105 is 一百零五, 110 is 一百一十
        return f"{_HAN_DIGITS[hundreds]}百{joint}{han_number(rest)}" if rest else f"{_HAN_DIGITS[hundreds]}百"
    tens, ones = divmod(number, 10)
    lead = f"{_HAN_DIGITS[tens] if tens > 1 else ''}十" if tens else ""
    return f"{lead}{_HAN_DIGITS[ones] if ones or not tens else ''}"


def han_value(written: str) -> float:
    """Return the value of a number written in Chinese characters.

    >>> [han_value(written) for written in ("十二", "一百零五", "两千三", "三万五千", "二〇二七", "一亿两千万")]
    [12.0, 105.0, 2300.0, 35000.0, 2027.0, 120000000.0]
    """
    total = part = digit = 0
    last_scale = 1  # that of the sign before a last digit: 两千三 is 2,300
    plain = written.replace("〇", "零").replace("两", "二")
    if len(plain) > 1 and all(sign in _HAN_DIGITS for sign in plain):
        return float("".join(str(_HAN_DIGITS.index(sign)) for sign in plain))
    for sign in plain:
        if sign in _HAN_DIGITS:
            digit = _HAN_DIGITS.index(sign)
            if sign == "零":
                last_scale = 1  # 一百零五 is 105, not 150
        elif sign in _HAN_SCALES:
            last_scale = _HAN_SCALES[sign]
            part += (digit or 1) * last_scale
            digit = 0
        else:
            last_scale = _HAN_MYRIADS[sign]
            total += (part + digit) * last_scale
            part = digit = 0
    last_digit = digit * last_scale // 10 if last_scale > 10 else digit  # but 二十三 is 23
    return float(total + part + last_digit)
