import type { KeptSecret, SecretKind } from '../../../secrets.ts'
import type { SecretReading } from '../../reads.ts'
import { build, param, type Statements } from '../connection/statement.ts'
import { secretOf } from '../../rows.ts'

/** Reads what is kept beside the log on one connection. */
export function secretReads(statements: Statements): SecretReading {
  const all = () => build.selectFrom('secrets').selectAll()
  const byId = statements.prepare(() => all().where('id', '=', param<string>('id')))
  const byNumber = statements.prepare(() => all().where('number', '=', param<number>('number')))
  const byKind = statements.prepare(() =>
    all().where('kind', '=', param<SecretKind>('kind')).orderBy('number'),
  )
  const ofUser = statements.prepare(() =>
    all()
      .where('userId', '=', param<string>('userId'))
      .where('kind', '=', param<SecretKind>('kind'))
      .orderBy('number'),
  )
  const standing = statements.prepare(() =>
    build
      .selectFrom('secrets')
      .select(['number', 'userId', 'createdAt', 'usedAt', 'expiresAt', 'value'])
      .where('id', '=', param<string>('id'))
      .where('endedAt', 'is', null),
  )
  // A row of a kind has the value of that kind.
  const kept = <Kind extends SecretKind>(row: Parameters<typeof secretOf>[0]) =>
    secretOf(row) as unknown as KeptSecret<Kind>
  return {
    standing: (id) => standing.get({ id }),
    get(kind, id) {
      const row = byId.get({ id })
      return row?.kind === kind ? kept<typeof kind>(row) : undefined
    },
    byNumber(kind, number) {
      const row = byNumber.get({ number })
      return row?.kind === kind ? kept<typeof kind>(row) : undefined
    },
    list: (kind, userId) =>
      (userId === undefined ? byKind.all({ kind }) : ofUser.all({ kind, userId })).map((row) =>
        kept<typeof kind>(row),
      ),
  }
}
