import { isUsable, type StateOfWaypoint } from '@openfountain/core/status'

/** The status of a fountain between two days, so that an old page still shows today's status. */
export interface Stage {
  readonly state: StateOfWaypoint
  /** Its first day, where it is known; all days are in UTC, `YYYY-MM-DD`. */
  readonly since?: string
  readonly confirmed?: string
  /** The number of people who reported it; 0 when only its source or its season says it. */
  readonly people: number
  /** Present when others reported the opposite before. */
  readonly contradicted?: true
  /** The first day on which it should give water again. */
  readonly back?: string
  /** The last day of the stage; absent for one without an end. */
  readonly until?: string
}

/** Consecutive stages, ordered by last day. */
export type Stages = readonly Stage[]

export const today = (): string => new Date().toISOString().slice(0, 10)

/** The first day of this date after a day. The 29th of February is the 1st of March in most years. */
export function beginAfter(date: string, day: string): string {
  const year = Number(day.slice(0, 4))
  const [month = 1, number = 1] = date.split('-').map(Number)
  const inYear = (each: number) => new Date(Date.UTC(each, month - 1, number)).toISOString().slice(0, 10)
  return inYear(year) > day ? inYear(year) : inYear(year + 1)
}

export const stageOn = (stages: Stages, day: string): Stage | undefined =>
  stages.find(({ until }) => until === undefined || day <= until)

/** Whether a fountain gives no water, as far as it is known. A single report may be wrong. */
export const isDry = (state: StateOfWaypoint | undefined): boolean =>
  state === 'broken' || state === 'off' || state === 'gone'

/** The place in lists: usable fountains first, private ones last. */
export const rankOf = (fountain: Parameters<typeof isUsable>[0]): number =>
  isUsable(fountain) ? 0 : fountain.access === 'private' ? 2 : 1

export const shownState = (stage: Stage | undefined): StateOfWaypoint | undefined =>
  stage === undefined || stage.state === 'unconfirmed' ? undefined : stage.state

/** Stages for an attribute of a page, in half the length of JSON: separated by commas, their members by spaces, `-` for none. */
export const writeStages = (stages: Stages): string =>
  stages
    .map(({ state, since, confirmed, people, contradicted, back, until }) =>
      [state, since, confirmed, people, contradicted && 1, back, until]
        .map((member) => member ?? '-')
        .join(' '),
    )
    .join()

/** The same with states and days alone. */
export const writeStates = (stages: Stages): string =>
  writeStages(
    stages.flatMap(({ state, until }, at) =>
      stages[at + 1]?.state === state ? [] : [{ state, people: 0, until }],
    ),
  )

/** Reads the output of {@link writeStages}. */
export function readStages(text: string): Stages {
  return text
    .split(',')
    .filter((one) => one !== '')
    .map((one) => {
      const [state, since, confirmed, people, contradicted, back, until] = one
        .split(' ')
        .map((member) => (member === '-' ? undefined : member))
      return {
        state: (state ?? 'unconfirmed') as StateOfWaypoint,
        people: Number(people ?? 0),
        since,
        confirmed,
        ...(contradicted !== undefined && { contradicted: true as const }),
        back,
        until,
      }
    })
}
