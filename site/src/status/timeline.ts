import { nextChangeOf, statusOf, type StatusFacts } from '@openfountain/core/status'
import { beginAfter, type Stage, type Stages } from './stage.ts'

/** The number of years after the data for which stages are computed, since seasons recur for ever. */
const years = 3

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** The stages of a status from a day on, as it ages without new facts; after some years it is unknown, and there is none. */
export function stagesOf(facts: StatusFacts, from: string): Stages {
  const horizon = `${Number(from.slice(0, 4)) + years}-01-01`
  const stages: Stage[] = []
  let day: string | undefined = from
  while (day !== undefined && day < horizon) {
    const next = nextChangeOf(facts, day)
    const end: string | undefined = next === undefined || next < horizon ? next : horizon
    const stage = stageAt(facts, day)
    const last = stages.at(-1)
    if (last && isSame(last, stage)) stages.pop()
    stages.push({ ...stage, ...(end !== undefined && { until: addDays(end, -1) }) })
    day = end
  }
  return stages.some(isWorthSaying) ? stages : []
}

const isWorthSaying = ({ state, confirmed }: Stage): boolean =>
  state !== 'unconfirmed' || confirmed !== undefined

const isSame = ({ until: _until, ...one }: Stage, other: Stage): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

function stageAt(facts: StatusFacts, day: string): Stage {
  const { state, since, lastConfirmed, contradicted, supporters } = statusOf(facts, day)
  const back = state === 'off' ? backOf(facts, day) : undefined
  return {
    state,
    since,
    confirmed: lastConfirmed,
    people: supporters,
    ...(contradicted && { contradicted }),
    back,
  }
}

/** The day on which a fountain that is off gives water again, by its season or a source. */
function backOf({ season, sources = [] }: StatusFacts, day: string): string | undefined {
  const ends = sources.flatMap(({ state, until }) => (state === 'off' && until !== undefined ? [until] : []))
  const last = ends.toSorted().findLast((end) => end >= day)
  const begins = season === undefined ? undefined : beginAfter(season.slice(0, 5), day)
  return last === undefined ? begins : addDays(last, 1)
}
