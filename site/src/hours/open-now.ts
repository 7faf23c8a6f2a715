import type { Hours, Rule } from './parse.ts'

/** Whether a fountain is open; for a closed one the time when it opens on the same day, in minutes after midnight. */
export interface Opening {
  readonly isOpen: boolean
  readonly opensAt?: number
}

/** A moment at the fountain: its date `MM-DD`, its day of the week (0 is Monday), and minutes after midnight. */
interface LocalTime {
  readonly date: string
  readonly weekday: number
  readonly minutes: number
}

/**
 * How far a place's clock may be before solar time, in minutes: some clocks are behind, those in the west of China three
 * hours before.
 */
const clocks = Array.from({ length: 21 }, (_, quarter) => 15 * quarter - 75)

/**
 * Whether a fountain is open now, where that is certain: its time zone and holidays are unknown. Undefined where it is
 * not.
 *
 * @param zone offset of the local clocks from UTC in minutes, when the visitor is there too
 */
export function openingNow(
  hours: Hours,
  { longitude, now, zone }: { readonly longitude: number; readonly now: Date; readonly zone?: number },
): Opening | undefined {
  if (hours.some(({ holidays }) => holidays)) return undefined
  const zones = zone === undefined ? clocks.map((ahead) => longitude * 4 + ahead) : [zone]
  const [first, ...others] = zones.map((ahead) => openingAt(hours, localOf(now, ahead)))
  if (!first || others.some((other) => other?.isOpen !== first.isOpen)) return undefined
  if (others.every((other) => other?.opensAt === first.opensAt)) return first
  return { isOpen: first.isOpen }
}

function localOf(now: Date, ahead: number): LocalTime {
  const there = new Date(now.getTime() + ahead * 60_000)
  return {
    date: there.toISOString().slice(5, 10),
    weekday: (there.getUTCDay() + 6) % 7,
    minutes: there.getUTCHours() * 60 + there.getUTCMinutes(),
  }
}

/** Undefined where the sun decides. */
function openingAt(hours: Hours, at: LocalTime): Opening | undefined {
  const yesterday = before(at)
  const [today, earlier] = [hours.findLast(isAbout(at)), hours.findLast(isAbout(yesterday))]
  const [spans, late] = [clocked(today), clocked(earlier)]
  if (spans === undefined || late === undefined) return undefined
  const { minutes } = at
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

/** The times of a rule; undefined for times of the sun. */
function clocked({ times = [] }: Partial<Rule> = {}):
  | readonly (readonly [from: number, to: number])[]
  | undefined {
  const spans = times.map(({ from, to }) => [Number(from), Number(to)] as const)
  return spans.flat().some(Number.isNaN) ? undefined : spans
}

function before({ date, weekday, minutes }: LocalTime): LocalTime {
  const day = new Date(Date.parse(`2024-${date}T00:00Z`) - 86_400_000)
  return { date: day.toISOString().slice(5, 10), weekday: (weekday + 6) % 7, minutes }
}

const isAbout =
  ({ date, weekday }: LocalTime) =>
  ({ periods, days }: Rule): boolean =>
    (periods.length === 0 || periods.some(({ from, to }) => isWithin(from, to, date))) &&
    (days.length === 0 || days.some(([from, to]) => isWithin(from, to, weekday)))

const isWithin = <Value extends string | number>(from: Value, to: Value, value: Value): boolean =>
  from <= to ? from <= value && value <= to : from <= value || value <= to
