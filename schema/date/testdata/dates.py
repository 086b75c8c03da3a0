"""Prints dates and the numbers that Python's datetime makes of them.

python3 dates.py N SEED: N lines of tab-separated format, unit, zone, text, whether the
text is as strftime writes it, and the number, or why there is none. The zones are those
of the directory that PYTHONTZPATH names.
"""

import random
import re
import sys
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

UTC = timezone.utc
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
UNITS = {"s": 10**6, "ms": 10**3, "us": 1, "ns": 0, "days": 0}

DAYS = ["%Y-%m-%d", "%d/%m/%Y", "%m/%d/%y", "%d %b %Y", "%B %d, %Y", "%a %d %b %Y", "%A, %d %B %Y", "%Y%m%d", "%Y%j", "%j/%Y",
        "%G-W%V-%u", "%Y %U %w", "%Y %W %a", "%Y-%m", "%Y", "%d.%m.%y", "100%% %Y/%m/%d"]
CLOCKS = ["", " %H:%M", "T%H:%M:%S", " %H:%M:%S.%f", " %I:%M %p", " %I%p", "T%H%M%S", "%H%M%S%f", "\t%H h %M m %S s"]
OFFSETS = ["", "", "", "%z", " %z", " %Z"]

ZONES = """America/New_York Europe/London Europe/Dublin Europe/Paris America/Sao_Paulo Asia/Kolkata Asia/Kathmandu
Australia/Lord_Howe Australia/Sydney Pacific/Apia Pacific/Kiritimati America/St_Johns Africa/Casablanca Africa/Monrovia
Asia/Tehran America/Nuuk America/Santiago Antarctica/Troll Asia/Gaza Africa/Cairo Asia/Jerusalem America/Caracas
Europe/Amsterdam Pacific/Chatham Asia/Pyongyang Etc/GMT+12 Europe/Lisbon America/Havana Asia/Manila America/Juneau
Antarctica/Casey America/Scoresbysund EST5EDT CET""".split()


def transition(r, zone):
    """A local time near one where the offset of a zone changes, if there is one in a year."""
    at = datetime(r.choice([r.randint(1880, 2040), r.randint(1970, 2030), r.randint(2, 9990)]), 1, 1, tzinfo=UTC)
    step = timedelta(days=28)
    changes = []
    for _ in range(13):
        if (at + step).astimezone(zone).utcoffset() != at.astimezone(zone).utcoffset():
            changes.append(at)
        at += step
    if not changes:
        return None
    low = r.choice(changes)
    high = low + step
    while high - low > timedelta(seconds=1):
        middle = low + timedelta(seconds=(high - low) // timedelta(seconds=1) // 2)
        if middle.astimezone(zone).utcoffset() == low.astimezone(zone).utcoffset():
            low = middle
        else:
            high = middle
    near = high.astimezone(zone).replace(tzinfo=None)
    return near + timedelta(seconds=r.choice([-7200, -3601, -3600, -1800, -1, 0, 1, 1800, 3599, 3600, 7200, r.randint(-10000, 10000)]))


def moment(r, zone):
    if zone is not None and r.random() < 0.6:
        if (near := transition(r, zone)) is not None:
            return near
    year = r.choice([r.randint(2, 9998), r.randint(1600, 2300), r.randint(1970, 2030)])
    day = date(year, 1, 1) + timedelta(days=r.choice([0, 1, 58, 59, 60, 364, r.randint(0, 364)]))
    clock = r.choice([0, 0, 12 * 3600, 86399, r.randint(0, 86399)])
    micro = r.choice([0, 0, 0, 500000, 999000, r.randint(0, 999999)])
    return datetime(day.year, day.month, day.day) + timedelta(seconds=clock, microseconds=micro)


def written(r, when, form):
    """The text of a time; the C library writes years below 1000 with fewer digits."""
    iso = when.isocalendar()
    form = form.replace("%Y", f"{when.year:04d}").replace("%G", f"{iso[0]:04d}").replace("%Z", r.choice(["UTC", "GMT", "utc"]))
    text = when.strftime(form)
    if r.random() < 0.2:
        text = r.choice([str.upper, str.lower])(text).replace("z", "Z")
    return text


def mutated(r, text):
    text = list(text)
    for _ in range(r.randint(1, 2)):
        i = r.randrange(len(text) + 1)
        what = r.random()
        if what < 0.3 and text:
            del text[min(i, len(text) - 1)]
        elif what < 0.6:
            text.insert(i, r.choice("0123456789 -:/."))
        elif text:
            text[min(i, len(text) - 1)] = r.choice("0123456789 -:/.TZ")
    return "".join(text)


def number(text, form, unit, zone):
    """The number of a text, or why there is none."""
    try:
        when = datetime.strptime(text, form)
        if "%Z" in form:
            when = when.replace(tzinfo=UTC)
        if unit == "days":
            return "finer" if when.time() != datetime.min.time() else str((when.date() - date(1970, 1, 1)).days)
        if UNITS[unit] > 1 and when.microsecond % UNITS[unit]:
            return "finer"
        if when.tzinfo is None:
            naive = when
            when = naive.replace(tzinfo=zone or UTC)
            if zone is not None and when.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != naive:
                return "skipped"
    except (ValueError, OverflowError):
        return "bad"
    micros = (when - EPOCH) // timedelta(microseconds=1)
    if unit == "ns":
        return str(micros * 1000) if -(2**63) <= micros * 1000 < 2**63 else "beyond"
    return str(micros // UNITS[unit])


def line(r):
    form = r.choice(DAYS) + r.choice(CLOCKS)
    if form.endswith("%W %a") or "%" in form and re.search(r"%[HI]", form) is None:
        offset = ""
    else:
        offset = r.choice(OFFSETS)
    if offset == "%z" and form.endswith("%f"):
        offset = " %z"
    form += offset
    if re.search(r"%[VUWwujYmdy]%[Hf]", form) and "%j%H" in form:
        form = form.replace("%j%H", "%j %H")
    unit = r.choice(list(UNITS))
    name = r.choice(["UTC", *ZONES, *ZONES])
    zone = None if name == "UTC" else ZoneInfo(name)
    when = moment(r, zone)
    if unit == "days" and r.random() < 0.8:
        when = datetime(when.year, when.month, when.day)
    if "%z" in form:
        when = when.replace(tzinfo=timezone(timedelta(minutes=r.choice([0, 60, -300, 330, 14 * 60, -12 * 60, r.randint(-1439, 1439)]))))
    text = written(r, when, form)
    clean = r.random() < 0.75
    if not clean:
        text = mutated(r, text)
        # What is taken here and not there: an offset of hours alone, digits behind the sixth.
        if "%z" in form and re.search(r"[+-]\d\d(?!:?\d\d)", text) or "%f" in form and re.search(r"\d{7}", text):
            return line(r)
    return "\t".join([form.replace("\t", "\\t"), unit, name, text.replace("\t", "\\t"), "clean" if clean else "mutated", number(text, form, unit, zone)])


def main():
    r = random.Random(int(sys.argv[2]))
    for _ in range(int(sys.argv[1])):
        print(line(r))


main()
