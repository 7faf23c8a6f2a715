import type { Secret } from '../../../secrets.ts'
import type { Replacement } from '../../../log/working-set.ts'
import { build, limitParam, param, params, type Statements } from '../connection/statement.ts'
import type { Values } from '../connection/value.ts'

/** How many secrets that have ended by themselves one write removes at most. */
const sweepAtMost = 100

const changing = ['userId', 'value', 'usedAt', 'expiresAt', 'endedAt'] as const

function valuesOf({ id, kind, createdAt, value, userId, usedAt, expiresAt, endedAt }: Secret): Values {
  return {
    id,
    kind,
    createdAt,
    value: JSON.stringify(value),
    userId: userId ?? null,
    usedAt: usedAt ?? null,
    expiresAt: expiresAt ?? null,
    endedAt: endedAt ?? null,
  }
}

/** Keeps, changes and removes secrets on one connection, inside the caller's transaction. */
export function secretWrites(statements: Statements) {
  const insert = statements.prepare(() =>
    build.insertInto('secrets').values(params(['id', 'kind', 'createdAt', ...changing])),
  )
  const update = statements.prepare(() =>
    build.updateTable('secrets').set(params(changing)).where('id', '=', param<string>('id')),
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
          .limit(limitParam('most')),
      ),
  )
  return (changed: readonly Replacement<Secret>[], at: string): void => {
    for (const { before, after } of changed) {
      if (after.isGone === true) remove.run({ id: after.id })
      else (before === undefined ? insert : update).run(valuesOf(after))
    }
    sweep.run({ at, most: sweepAtMost })
  }
}
