import { openRegistry } from '@openfountain/core'
import type { Endpoint } from '../../packages/server/src/endpoint.ts'
import { endpointsOf } from '../../packages/server/src/endpoints/all.ts'

const introduction = `Every path of the HTTP API: who may call it, and how long a response is valid.
[openapi.json](openapi.json) has parameters and bodies, [the API in words](../api.md) the rest.

Who: \`anyone\` without credentials; \`reader\` with any or none; \`visitor\` with a session or none; \`contributor\` with a session, a personal token or an API
token; \`user\` with a session or a personal token; \`observer\` as \`contributor\` and \`reporter\` as \`user\`, or, with
--passers-by (\`observer\`) or --open-observations (both), anybody on a page of a permitted origin; \`owner\` with a session; \`steward\` with an API token or a moderator's session; \`moderator\` with a
moderator's session; \`token\` with an API token. Valid: \`write\` until the next write of any process, with an entity
tag; \`never\` for what is private, written, or changes without a write.`

function line({ method, route, who, freshness, summary, documented }: Endpoint): string {
  const valid = freshness === 'never' ? 'never' : 'write'
  const about = documented === false ? `${summary} (not in the document)` : summary
  return `| ${method} | \`${route}\` | ${who} | ${valid} | ${about} |`
}

/** The endpoints of a registry with default settings. */
async function endpoints(): Promise<readonly Endpoint[]> {
  const registry = await openRegistry({ database: ':memory:' })
  try {
    return endpointsOf({ registry, options: {} })
  } finally {
    await registry.close()
  }
}

/** The map of all routes on one page. */
export async function routes(): Promise<string> {
  const head = '| method | path | who | valid | what |\n| --- | --- | --- | --- | --- |'
  const lines = (await endpoints()).map(line)
  return `# Routes\n\n${introduction}\n\n${head}\n${lines.join('\n')}\n`
}
