import { openRegistry } from '@openfountain/core'
import { createApp } from '@openfountain/server'
import openapiTS, { astToString } from 'openapi-typescript'

/** The OpenAPI document of a server whose registry has default settings. */
export async function openApiDocument(): Promise<string> {
  const registry = await openRegistry({ database: ':memory:' })
  try {
    const response = await createApp(registry).fetch(new Request('http://localhost/api/openapi'))
    return `${JSON.stringify(await response.json(), undefined, 2)}\n`
  } finally {
    await registry.close()
  }
}

/** Types of every request and response, for clients such as openapi-fetch. */
export async function clientTypes(document: string): Promise<string> {
  const nodes = await openapiTS(document)
  // Its tags are none that editors or the reference know.
  const text = astToString(nodes)
    .replaceAll('@description ', '')
    .replaceAll(/^ +\* @(?:constant|enum).*\n/gmu, '')
    .replaceAll(/@(?:constant|enum)\b(?: \{\w+\})?/gu, '')
  return `// Made from the API's own description by npm run generate.\n\n${text}`
}
