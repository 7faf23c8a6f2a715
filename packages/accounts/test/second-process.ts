import { createInterface } from 'node:readline'
import { openRegistry, RegistryError } from '@openfountain/core'
import { createAccounts } from '@openfountain/accounts'

/** Another process of a registry: reads one act a line, and writes what came of it. */
const { database, ...settings } = JSON.parse(process.argv[2] ?? '')
const registry = await openRegistry({ database })
const ways = createAccounts(registry, settings)

const acts: Readonly<Record<string, (...given: never[]) => Promise<unknown>>> = {
  'provider.end': ways.provider.end.bind(ways.provider),
  ...(ways.codes && {
    'codes.send': ways.codes.send.bind(ways.codes),
    'codes.signIn': ways.codes.signIn.bind(ways.codes),
  }),
}

for await (const line of createInterface({ input: process.stdin })) {
  const [act, ...given] = JSON.parse(line)
  try {
    console.log(JSON.stringify(await acts[act]?.(...(given as never[]))))
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    console.log(JSON.stringify({ code: error.code, message: error.message }))
  }
}
await ways.close()
await registry.close()
