import type { KeptReport } from '../../../log/nouns.ts'
import type { Replacement } from '../../../log/working-set.ts'
import { build, param, params, type Statements } from '../connection/statement.ts'
import { reportChanging, reportGiven, reportsForget } from '../../kept-rows.ts'
import { reportValues } from '../../rows.ts'

/**
 * Keeps and changes reports on one connection, inside the caller's transaction. Each write also removes what is no
 * longer needed: the networks of earlier days, and who wrote what in reports that were decided long ago.
 */
export function reportWrites(statements: Statements) {
  const insert = statements.prepare(() =>
    build.insertInto('reports').values(params([...reportGiven, ...reportChanging])),
  )
  const update = statements.prepare(() =>
    build.updateTable('reports').set(params(reportChanging)).where('id', '=', param<string>('id')),
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
    for (const { before, after } of changed) (before === undefined ? insert : update).run(reportValues(after))
    const { today, before } = reportsForget(at)
    forgetNetworks.run({ today })
    forgetTexts.run({ before })
  }
}
