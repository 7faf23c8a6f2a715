import { secretOf, type KeptSecret, type SecretKind, type SecretReading } from '@openfountain/core/engine'
import { build, text, whole, type Statements } from '../connection/statement.ts'

/** Reads what is kept beside the log: sessions, tokens, ways to sign in. */
export function secretReads(statements: Statements): SecretReading {
  const all = () => build.selectFrom('secrets').selectAll()
  const byId = statements.prepare(() => all().where('id', '=', text('id')))
  const byNumber = statements.prepare(() => all().where('number', '=', whole('number')))
  const byKind = statements.prepare(() =>
    all().where('kind', '=', text<SecretKind>('kind')).orderBy('number'),
  )
  const ofUser = statements.prepare(() =>
    all().where('userId', '=', text('userId')).where('kind', '=', text<SecretKind>('kind')).orderBy('number'),
  )
  const standing = statements.prepare(() =>
    build
      .selectFrom('secrets')
      .select(['number', 'userId', 'createdAt', 'usedAt', 'expiresAt', 'value'])
      .where('id', '=', text('id'))
      .where('endedAt', 'is', null),
  )
  // A row of a kind has the value of that kind.
  const kept = <Kind extends SecretKind>(row: Parameters<typeof secretOf>[0]) =>
    secretOf(row) as unknown as KeptSecret<Kind>
  return {
    standing: (id) => standing.get({ id }),
    async get(kind, id) {
      const row = await byId.get({ id })
      return row?.kind === kind ? kept<typeof kind>(row) : undefined
    },
    async byNumber(kind, number) {
      const row = await byNumber.get({ number })
      return row?.kind === kind ? kept<typeof kind>(row) : undefined
    },
    async list(kind, userId) {
      const rows = await (userId === undefined ? byKind.all({ kind }) : ofUser.all({ kind, userId }))
      return rows.map((row) => kept<typeof kind>(row))
    },
  }
}
