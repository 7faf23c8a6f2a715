import { createHash } from 'node:crypto'
import { readdir, readFile, rm, mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packAll } from './packages/tarball.ts'
import { makeDeb } from './release/deb.ts'
import { makeBase, makeImage } from './release/image.ts'

/**
 * Makes one folder with all that a version is published as: the packages, the Debian package, the image for containers,
 * and SHA256SUMS over them. As root, with Debian's buildah and debootstrap:
 *   npm run release [-- --out release --maintainer "City of Lund <it@lund.example>"]
 */
const { values } = parseArgs({
  options: { out: { type: 'string', default: 'release' }, maintainer: { type: 'string' } },
})
const out = resolve(values.out)
await rm(out, { recursive: true, force: true })
await mkdir(out, { recursive: true })
const deb = await makeDeb(await packAll(out), out, values.maintainer)
const base = join(out, 'base')
await makeBase(base)
await makeImage(base, deb, out)
await rm(base, { recursive: true })
const sums: string[] = []
for (const name of (await readdir(out)).toSorted())
  sums.push(
    `${createHash('sha256')
      .update(await readFile(join(out, name)))
      .digest('hex')}  ${name}\n`,
  )
await writeFile(join(out, 'SHA256SUMS'), sums.join(''))
console.log(sums.join(''))
