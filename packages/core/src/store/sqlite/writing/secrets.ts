import { rowCount } from '../../sql/query.ts'
import type { Secret } from '../../../secrets.ts'
import type { Replacement } from '../../../log/working-set.ts'
import { build, param, params, type Statements } from '../connection/statement.ts'
import { secretChanging, secretGiven, sweepAtMost } from '../../kept-rows.ts'
import { secretValues } from '../../rows.ts'

/** Keeps, changes and removes secrets on one connection, inside the caller's transaction. */
export function secretWrites(statements: Statements) {
  const insert = statements.prepare(() =>
    build.insertInto('secrets').values(params([...secretGiven, ...secretChanging])),
  )
  const update = statements.prepare(() =>
    build.updateTable('secrets').set(params(secretChanging)).where('id', '=', param<string>('id')),
  )
  const remove = statements.prepare(() => build.deleteFrom('secrets').where('id', '=', param<string>('id')))
  const sweep = statements.prepare(() =>
    build
      .deleteFrom('secrets')
      .where('number', 'in', (eb) =>
        eb
          .selectFrom('secrets')
          .select('number')
          .where('expiresAt', '<=', param<string>('at'))
          .orderBy('expiresAt')
          .limit(rowCount('most')),
      ),
  )
  return (changed: readonly Replacement<Secret>[], at: string): void => {
    for (const { before, after } of changed) {
      if (after.isGone === true) remove.run({ id: after.id })
      else (before === undefined ? insert : update).run(secretValues(after))
    }
    sweep.run({ at, most: sweepAtMost })
  }
}
