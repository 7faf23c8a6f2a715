import { build } from 'astro'

/** Builds the Astro project in the given folder into another one. */
const [root, outDir] = process.argv.slice(2)
if (root === undefined || outDir === undefined)
  throw new Error('Give the folders of the project and of its site')
process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
await build({
  root,
  outDir,
  configFile: false,
  logLevel: 'error',
  // Other packages of this repository hoist other versions of Astro's own dependencies.
  vite: { environments: { prerender: { resolve: { noExternal: true } } } },
})
