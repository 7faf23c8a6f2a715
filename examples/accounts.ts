import { user, type Registry } from '@openfountain/core'
import type { ResolveActor } from '@openfountain/server'

/** The host's accounts by the value of its own cookie; a real host looks in its session store. */
const signedIn = new Map([['ada-is-signed-in', { externalId: 'ada', name: 'Ada' }]])

/** The host's visitors as actors of the registry; API tokens of the registry keep working beside them. */
export function hostAccounts(registry: Registry): ResolveActor {
  return async (request, builtIn) => {
    const cookie = /(?:^|; )login=([^;]*)/u.exec(request.headers.get('cookie') ?? '')?.[1]
    const account = signedIn.get(cookie ?? '')
    if (account === undefined) return builtIn()
    const { id } = await registry.users.ensure(account)
    return user(id)
  }
}
