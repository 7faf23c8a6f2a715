import type { Statistics } from '../../schemas/statistics.ts'
import { lastWriteOf, statisticsOf } from '../counters.ts'
import type { DataVersion } from '../answers.ts'
import { build, query } from '../sql/query.ts'
import type { Reading } from '../sql/reading.ts'

const versions = query(() => build.selectFrom('state').select(['origin', 'revision']))
const counters = query(() => build.selectFrom('state').selectAll())

/** The one row of the state, which every registry has. */
export function* known<Row>(reading: Reading<Row | undefined>): Reading<Row> {
  const row = yield* reading
  if (row === undefined) throw new Error('the row of the table state is missing')
  return row
}

/** The counters of the registry. */
export const stateReads = {
  version: (): Reading<DataVersion> => known(versions.get()),
  /** The key of references derived from places: secret, random, never changed. */
  *placeKey(): Reading<string> {
    return (yield* known(counters.get())).placeKey
  },
  /** Time of the last write. */
  *changedAt(): Reading<string> {
    return (yield* known(counters.get())).changedAt
  },
  /** The same, or the time of the newest entry, which may be later in a mirror of an instance whose clock is ahead. */
  *lastWrite(): Reading<string> {
    return lastWriteOf(yield* known(counters.get()))
  },
  *statistics(): Reading<Statistics> {
    return statisticsOf(yield* known(counters.get()))
  },
}
