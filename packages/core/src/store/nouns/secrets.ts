import type { StoredSecret, SecretKind } from '../../secrets.ts'
import type { SecretValidity } from '../answers.ts'
import { storing, type Row } from '../rows.ts'
import { build, paged, query, type Reading, text, whole } from '../sql/query.ts'

const all = () => build.selectFrom('secrets').selectAll()
const byId = query(() => all().where('id', '=', text('id')))
const byNumber = query(() => all().where('number', '=', whole('number')))
const kept = (row: Row<'secrets'>) => storing.secret.from(row as never) as StoredSecret<SecretKind>
const ofKind = () => all().where('kind', '=', text<SecretKind>('kind')).orderBy('number')
const byKind = query(ofKind).map(kept)
const pageOfKind = query(() => paged(all().where('kind', '=', text<SecretKind>('kind')), 'number')).map(kept)
const ofUser = query(() => ofKind().where('userId', '=', text('userId'))).map(kept)
const standing = query(() =>
  build
    .selectFrom('secrets')
    .select(['number', 'userId', 'createdAt', 'usedAt', 'expiresAt', 'value'])
    .where('id', '=', text('id'))
    .where('endedAt', 'is', null),
)

export const secretReads = {
  /** One that nobody ended, expired or not. */
  standing: (id: string): Reading<SecretValidity | undefined> => standing.get({ id }),
  *get(kind: SecretKind, id: string): Reading<StoredSecret<SecretKind> | undefined> {
    const row = yield* byId.get({ id })
    return row?.kind === kind ? kept(row) : undefined
  },
  *byNumber(kind: SecretKind, number: number): Reading<StoredSecret<SecretKind> | undefined> {
    const row = yield* byNumber.get({ number })
    return row?.kind === kind ? kept(row) : undefined
  },
  page: (kind: SecretKind, after: number, limit: number): Reading<StoredSecret<SecretKind>[]> =>
    pageOfKind.all({ kind, after, limit }),
  list: (kind: SecretKind, userId?: string): Reading<StoredSecret<SecretKind>[]> =>
    userId === undefined ? byKind.all({ kind }) : ofUser.all({ kind, userId }),
}
