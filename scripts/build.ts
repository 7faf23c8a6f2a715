import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { buildNumber } from './packages/build-number.ts'
import { packageFolders, root } from './packages/folders.ts'

/**
 * Builds the published files: the `dist` folder of each package, always from scratch, because a file whose source was
 * removed would otherwise still be published.
 *   npm run build
 */
for (const folder of packageFolders) rmSync(`${root}${folder}/dist`, { recursive: true, force: true })
const compiler = `${root}node_modules/typescript-native/bin/tsc`
const { status } = spawnSync(process.execPath, [compiler, '-b', '--force', `${root}tsconfig.build.json`], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1

const numbered = `${root}packages/core/dist/version.js`
writeFileSync(numbered, readFileSync(numbered, 'utf8').replace('build = 0', `build = ${buildNumber}`))

// Swagger UI is published as files, so that its package is not a dependency (packages/server/src/docs-page.ts).
const swagger = `${root}packages/server/dist/swagger-ui`
mkdirSync(swagger, { recursive: true })
for (const name of [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
])
  cpSync(`${root}node_modules/swagger-ui-dist/${name}`, `${swagger}/${name}`)
