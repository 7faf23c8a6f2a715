import { expectTypeOf, test } from 'vitest'
import type { createAccounts } from '@openfountain/accounts'
import type { WaysToSignIn } from '../src/ways-to-sign-in.ts'

test('@openfountain/accounts makes what the server needs of ways to sign in, without knowing the server', () => {
  expectTypeOf<ReturnType<typeof createAccounts>>().toExtend<WaysToSignIn>()
})
