import type { Hours, Rule } from './parse.ts'

/** Whether a fountain is open; for a closed one the time when it opens on the same day, in minutes after midnight. */
export interface Opening {
  readonly isOpen: boolean
  readonly opensAt?: number
}

const minute = 60_000
const dayLength = 1440 * minute

/** Minutes by which a place's clock may be before solar time: three hours before in the west of China. */
const clocks = Array.from({ length: 21 }, (_, quarter) => 15 * quarter - 75)

/** Whether a fountain is open now; undefined where that is uncertain. @param zone offset from UTC in minutes, when the visitor is there too */
export function openingNow(
  hours: Hours,
  { longitude, now, zone }: { readonly longitude: number; readonly now: Date; readonly zone?: number },
): Opening | undefined {
  if (hours.some(({ holidays }) => holidays)) return undefined
  const zones = zone === undefined ? clocks.map((ahead) => longitude * 4 + ahead) : [zone]
  const [first, ...others] = zones.map((ahead) => openingAt(hours, new Date(now.getTime() + ahead * minute)))
  if (!first || others.some((other) => other?.isOpen !== first.isOpen)) return undefined
  if (others.every((other) => other?.opensAt === first.opensAt)) return first
  return { isOpen: first.isOpen }
}

/** Whether it is open at a local time, given as if it were UTC; undefined where the sun decides. */
function openingAt(hours: Hours, at: Date): Opening | undefined {
  const spansOn = (day: Date) => clocked(hours.findLast(isAbout(day)))
  const [spans, late] = [spansOn(at), spansOn(new Date(at.getTime() - dayLength))]
  if (spans === undefined || late === undefined) return undefined
  const minutes = at.getUTCHours() * 60 + at.getUTCMinutes()
  const isOpen =
    spans.some(([from, to]) => from <= minutes && (minutes < to || to <= from)) ||
    late.some(([from, to]) => to <= from && minutes < to)
  if (isOpen) return { isOpen }
  const next = spans
    .map(([from]) => from)
    .filter((from) => from > minutes)
    .toSorted((one, other) => one - other)[0]
  return { isOpen, opensAt: next }
}

function clocked({ times = [] }: Partial<Rule> = {}):
  | readonly (readonly [from: number, to: number])[]
  | undefined {
  const spans = times.map(({ from, to }) => [Number(from), Number(to)] as const)
  return spans.flat().some(Number.isNaN) ? undefined : spans
}

function isAbout(day: Date): (rule: Rule) => boolean {
  const [date, weekday] = [day.toISOString().slice(5, 10), (day.getUTCDay() + 6) % 7]
  return ({ periods, days }) =>
    (periods.length === 0 || periods.some(({ from, to }) => isWithin(from, to, date))) &&
    (days.length === 0 || days.some(([from, to]) => isWithin(from, to, weekday)))
}

const isWithin = <Value extends string | number>(from: Value, to: Value, value: Value): boolean =>
  from <= to ? from <= value && value <= to : from <= value || value <= to
