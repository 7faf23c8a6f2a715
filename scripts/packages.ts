import { mkdir } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { contentFindings } from './packages/contents.ts'
import { packAll, publintFindings, typeFindings } from './packages/tarball.ts'

/**
 * Packs the built packages and checks whether they can be published:
 *   npm run build && npm run packages [-- --out tarballs]
 * The test `scripts/test/packages.test.ts` also installs and uses the packages.
 */
const { values } = parseArgs({ options: { out: { type: 'string', default: 'tarballs' } } })
const out = resolve(values.out)
await mkdir(out, { recursive: true })
const tarballs = await packAll(out)
for (const tarball of tarballs) {
  const findings = [
    ...(await contentFindings(tarball, tarballs)),
    ...(await publintFindings(tarball)),
    ...[await typeFindings(tarball)].filter((text) => text !== ''),
  ]
  const { name, file, files, bytes } = tarball
  console.log(`${name}: ${relative('.', file)}, ${files.length} files, ${Math.ceil(bytes / 1024)} KiB`)
  for (const finding of findings) console.error(`  ${finding}`)
  if (findings.length > 0) process.exitCode = 1
}
