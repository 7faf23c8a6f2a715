import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packAll } from './packages/tarball.ts'
import { makeDeb } from './release/deb.ts'

/**
 * Makes the Debian package of the built packages, with Node inside, for the architecture of this machine:
 *   npm run deb [-- --out release --maintainer "City of Lund <it@lund.example>"]
 * The tarballs of the packages are beside it.
 */
const { values } = parseArgs({
  options: { out: { type: 'string', default: 'tarballs' }, maintainer: { type: 'string' } },
})
const out = resolve(values.out)
await mkdir(out, { recursive: true })
console.log(await makeDeb(await packAll(out), out, values.maintainer))
