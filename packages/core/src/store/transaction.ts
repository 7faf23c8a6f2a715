import type { Job } from '../decide/deciding.ts'
import { loggedEntry, type LoggedEntry } from '../log/entry.ts'
import { script, type LoadedFacts, type Outcome, type Step } from '../log/script.ts'
import { count, isOfRegistry, lastWriteOf, logStateOf, type Counters } from './counters.ts'
import type { WritingOptions } from './engine-store.ts'
import type { Alongside } from './host-statements.ts'

/** How a transaction ends, before its commit. */
export interface Ending {
  readonly outcomes: readonly Outcome<unknown>[]
  /** The time of the write, ISO 8601 in UTC. */
  readonly at: string
  /** Whether the change is visible to readers of the registry, so that its state is stored. */
  readonly isChanged: boolean
  /** Whether anything was saved. */
  readonly isSaved: boolean
  /** Statements of the host to run, with their entries; not for refused writes. */
  readonly alongside: Alongside | undefined
  readonly entries: readonly LoggedEntry[]
}

/** A transaction that an engine drives by loading and saving. */
export interface RunningTransaction {
  /** The new state, with the engine's own counters. */
  readonly counters: Counters
  readonly facts: LoadedFacts
  readonly steps: Generator<Step, Ending, void>
}

/** Begins the transaction of some jobs. @throws RegistryError CLOCK_BEHIND */
export function transaction(
  jobs: readonly Job<unknown>[],
  row: Counters,
  {
    clock,
    acceptClock,
    seed,
  }: Pick<WritingOptions, 'clock' | 'acceptClock'> & { readonly seed: () => string },
): RunningTransaction {
  const counters: Counters = { ...row }
  const circumstances = { now: clock(), seed, acceptClock, lastWrite: lastWriteOf(row) }
  const { facts, steps } = script(jobs, logStateOf(row), circumstances)
  return { counters, facts, steps: followed(jobs, counters, steps) }
}

function* followed(
  jobs: readonly Job<unknown>[],
  counters: Counters,
  steps: Generator<Step, readonly Outcome<unknown>[], void>,
): RunningTransaction['steps'] {
  const alongside = jobs[0]?.alongside
  const entries: LoggedEntry[] = []
  let at = ''
  let [isChanged, isSaved] = [false, false]
  for (let next = steps.next(); ; next = steps.next()) {
    if (next.done === true) {
      const outcomes = next.value
      const isAccepted = outcomes[0]?.ok === true
      return { outcomes, at, isChanged, isSaved, alongside: isAccepted ? alongside : undefined, entries }
    }
    yield next.value
    if (next.value.step !== 'save') continue
    const { changes } = next.value
    count(counters, changes)
    at = changes.at
    isSaved = true
    isChanged ||= isOfRegistry(changes)
    if (alongside !== undefined)
      entries.push(
        ...changes.entries.map(({ entry, seed, leaf, hole }) => loggedEntry({ ...entry, seed, leaf, hole })),
      )
  }
}
