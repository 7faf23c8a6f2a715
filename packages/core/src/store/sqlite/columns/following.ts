import { yieldToEventLoop } from '../../../event-loop.ts'
import { build, type Statements } from '../connection/statement.ts'

/** What is kept in memory of the registry, and follows its log. */
export interface Follower {
  /** Reads everything, in steps between which others may run; the log has entries up to an id when this begins. */
  load(to: number): Iterable<unknown>
  /** Reads again what the entries after one id, up to another, are about; in steps. */
  follow(after: number, to: number): Iterable<unknown>
}

async function inSteps(steps: Iterable<unknown>): Promise<void> {
  for (const _ of steps) await yieldToEventLoop()
}

/**
 * Keeps something in memory that answers questions which no index bounds.
 *
 * @returns a function that makes one for each kind of question, which brings what is kept up to date with the log; for
 * the first question of its kind it returns undefined: a scan takes less than reading everything, so that a process with
 * one question never does
 */
export function following<Kept extends Follower>(
  statements: Statements,
  make: () => Kept,
): () => () => Promise<Kept | undefined> {
  const state = statements.prepare(() => build.selectFrom('state').select(['size', 'origin', 'placings']))
  let kept:
    | { readonly columns: Kept; size: number; readonly origin: string; readonly placings: number }
    | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function upToDate(): Promise<Kept> {
    for (;;) {
      const { size = 0, origin = '', placings = 0 } = state.get() ?? {}
      // After another line of history was restored, the same ids are of other entries; that places were assigned is in none.
      const isOther = kept?.origin !== origin || kept.placings !== placings
      if (kept === undefined || isOther || kept.size > size) {
        kept = undefined
        const columns = make()
        await inSteps(columns.load(size))
        // What was written meanwhile is read again below.
        kept = { columns, size, origin, placings }
      } else if (kept.size === size) return kept.columns
      else {
        await inSteps(kept.columns.follow(kept.size, size))
        kept.size = size
      }
    }
  }

  return () => {
    let isFirst = true
    return async () => {
      if (isFirst) {
        isFirst = false
        return undefined
      }
      // One after another, also after one that failed.
      const next = turn.then(upToDate, upToDate)
      turn = next
      return next
    }
  }
}
