import type { KeptReport } from '../../../log/nouns.ts'
import type { Replacement } from '../../../log/working-set.ts'
import { reporting } from '../../../rules.ts'
import { minutesAfter, minutesOf } from '../../../secrets.ts'
import { build, param, params, type Statements } from '../connection/statement.ts'
import type { Values } from '../connection/value.ts'

const given = ['id', 'bubblerId', 'reviewId', 'userId', 'createdAt'] as const
const changing = ['by', 'network', 'reason', 'comment', 'state', 'note', 'decidedAt'] as const

function valuesOf(report: KeptReport): Values {
  const members: Readonly<Record<string, unknown>> = { ...report }
  return Object.fromEntries([...given, ...changing].map((name) => [name, members[name] ?? null])) as Values
}

/**
 * Keeps and changes reports on one connection, inside the caller's transaction. Each write also removes what is no
 * longer needed: the networks of earlier days, and who wrote what in reports that were decided long ago.
 */
export function reportWrites(statements: Statements) {
  const insert = statements.prepare(() => build.insertInto('reports').values(params([...given, ...changing])))
  const update = statements.prepare(() =>
    build.updateTable('reports').set(params(changing)).where('id', '=', param<string>('id')),
  )
  const forgetNetworks = statements.prepare(() =>
    build
      .updateTable('reports')
      .set({ network: null })
      .where('network', 'is not', null)
      .where('createdAt', '<', param<string>('today')),
  )
  const forgetTexts = statements.prepare(() =>
    build
      .updateTable('reports')
      .set({ by: null, comment: null, note: null })
      .where('decidedAt', 'is not', null)
      .where('decidedAt', '<', param<string>('before'))
      .where(({ or, eb }) =>
        or([eb('by', 'is not', null), eb('comment', 'is not', null), eb('note', 'is not', null)]),
      ),
  )
  return (changed: readonly Replacement<KeptReport>[], at: string): void => {
    for (const { before, after } of changed) (before === undefined ? insert : update).run(valuesOf(after))
    forgetNetworks.run({ today: at.slice(0, 10) })
    forgetTexts.run({ before: minutesAfter(at, -reporting.keptDays * minutesOf.day) })
  }
}
