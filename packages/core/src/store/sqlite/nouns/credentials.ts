import type { SessionInfo, TokenInfo } from '../../../schemas/credential.ts'
import { build, param, type Statements } from '../connection/statement.ts'

/** Reads and writes sessions and tokens on one connection; secrets are given as hashes. */
export function credentialRows(statements: Statements) {
  const insertSession = statements.prepare(() =>
    build
      .insertInto('sessions')
      .values({
        secretHash: param('secretHash'),
        userId: param('userId'),
        createdAt: param('at'),
        expiresAt: param('expiresAt'),
      })
      .returning('id'),
  )
  const current = () =>
    build.selectFrom('sessions').where('revokedAt', 'is', null).where('expiresAt', '>', param<string>('now'))
  const unrevoked = statements.prepare(() =>
    build
      .selectFrom('sessions')
      .select(['id', 'userId', 'expiresAt'])
      .where('secretHash', '=', param<Uint8Array>('secretHash'))
      .where('revokedAt', 'is', null),
  )
  const sessions = statements.prepare(() =>
    current().select(['id', 'userId', 'createdAt', 'expiresAt']).orderBy('id'),
  )
  const sessionId = statements.prepare(() =>
    build.selectFrom('sessions').select('id').where('secretHash', '=', param<Uint8Array>('secretHash')),
  )
  const revokeSession = statements.prepare(() =>
    build
      .updateTable('sessions')
      .set({ revokedAt: param('at') })
      .where('id', '=', param<number>('id'))
      .where('revokedAt', 'is', null),
  )
  const insertToken = statements.prepare(() =>
    build
      .insertInto('tokens')
      .values({
        secretHash: param('secretHash'),
        name: param('name'),
        ownerId: param('ownerId'),
        createdAt: param('at'),
      })
      .returning('id'),
  )
  const tokenOwner = statements.prepare(() =>
    build
      .selectFrom('tokens')
      .select('ownerId')
      .where('secretHash', '=', param<Uint8Array>('secretHash'))
      .where('revokedAt', 'is', null),
  )
  const tokens = statements.prepare(() =>
    build.selectFrom('tokens').select(['id', 'name', 'ownerId', 'createdAt', 'revokedAt']).orderBy('id'),
  )
  const revokeToken = statements.prepare(() =>
    build
      .updateTable('tokens')
      .set({ revokedAt: param('at') })
      .where('id', '=', param<number>('id'))
      .where('revokedAt', 'is', null),
  )

  return {
    insertSession: (row: { secretHash: Uint8Array; userId: string; at: string; expiresAt: string }): number =>
      insertSession.get(row)?.id ?? 0,
    unrevokedSession: (secretHash: Uint8Array) => unrevoked.get({ secretHash }),
    sessionId: (secretHash: Uint8Array): number | undefined => sessionId.get({ secretHash })?.id,
    sessions: (now: string, userId?: string): SessionInfo[] =>
      sessions.all({ now }).filter((session) => userId === undefined || session.userId === userId),
    revokeSession: (id: number, at: string): boolean => revokeSession.run({ id, at }) > 0,
    insertToken: (row: {
      secretHash: Uint8Array
      name: string
      ownerId: string | null
      at: string
    }): number => insertToken.get(row)?.id ?? 0,
    tokenOwner: (secretHash: Uint8Array) => tokenOwner.get({ secretHash }),
    tokens: (): TokenInfo[] =>
      tokens.all().map(({ ownerId, revokedAt, ...token }) => ({
        ...token,
        ...(ownerId !== null && { ownerId }),
        ...(revokedAt !== null && { revokedAt }),
      })),
    revokeToken: (id: number, at: string): boolean => revokeToken.run({ id, at }) > 0,
  }
}
