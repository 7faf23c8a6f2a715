import { build } from 'astro'

/** Builds the Astro project in the given folder into its folder `dist`. */
const [root] = process.argv.slice(2)
if (root === undefined) throw new Error('Give the folder of the project')
process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
await build({
  root,
  configFile: false,
  logLevel: 'error',
  // Other packages of this repository hoist other versions of Astro's own dependencies.
  vite: { environments: { prerender: { resolve: { noExternal: true } } } },
})
