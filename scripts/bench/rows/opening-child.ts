import { openRegistry } from '@openfountain/core'
import { createApp, serve } from '@openfountain/server'

/** Opens a registry, serves it, is asked one question of each kind, and prints how many milliseconds that took. */
const [database = ''] = process.argv.slice(2)
const from = performance.now()
const registry = await openRegistry({ database })
const { url, close } = await serve(createApp(registry), { port: 0 })
for (const path of ['/1', '?near=47,8&limit=1', '/search?q=fountain&limit=1']) {
  const response = await fetch(`${url}/api/waypoints${path}`)
  if (response.status !== 200) throw new Error(`${path} responded with ${response.status}`)
  await response.text()
}
console.log(performance.now() - from)
await close(0)
await registry.close()
