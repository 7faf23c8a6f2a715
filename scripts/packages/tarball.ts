import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { z } from 'zod'
import { succeed, run } from './command.ts'
import { packageFolders, root } from './folders.ts'

const Packed = z.object({
  name: z.string(),
  filename: z.string(),
  size: z.number(),
  files: z.array(z.object({ path: z.string() })),
})

const ownManifest = z.object({ name: z.string() })

/** A package as npm would publish it. */
export interface Tarball {
  readonly name: string
  /** Its folder in the workspace. */
  readonly folder: string
  /** The packed file. */
  readonly file: string
  readonly bytes: number
  /** Paths of its files, relative to the package's folder. */
  readonly files: readonly string[]
}

/** The fields of package.json that other packages depend on. */
export const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
})

/** Packs every published package, as built, into a folder, replacing earlier tarballs. */
export async function packAll(into: string): Promise<Tarball[]> {
  // An earlier version would be installed in addition to the new one.
  for (const name of await readdir(into)) if (/^openfountain-.*\.tgz$/u.test(name)) await rm(join(into, name))
  const workspaces = packageFolders.flatMap((folder) => ['--workspace', folder])
  const listing = await succeed('npm', ['pack', '--json', '--pack-destination', into, ...workspaces], {
    cwd: root,
  })
  // npm prints a list up to version 10 and an object by name from 11 on.
  const printed: unknown = JSON.parse(listing)
  const packed = z
    .union([z.array(Packed), z.record(z.string(), Packed).transform(Object.values<z.infer<typeof Packed>>)])
    .parse(printed)
  return Promise.all(
    packageFolders.map(async (folder) => {
      const { name } = ownManifest.parse(
        JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')),
      )
      const found = packed.find((one) => one.name === name)
      if (found === undefined) throw new Error(`npm packed no ${name}`)
      const { filename, size, files } = found
      return { name, folder, file: join(into, filename), bytes: size, files: files.map(({ path }) => path) }
    }),
  )
}

/** publint's findings in a packed package, suggestions included. */
export async function publintFindings({ file }: Tarball): Promise<string[]> {
  const data = await readFile(file)
  const tarball = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
  return messages.map((message) => formatMessage(message, pkg) ?? message.code)
}

/** The findings of @arethetypeswrong/cli in a packed package for ES modules alone; empty when there are none. */
export async function typeFindings({ file }: Tarball): Promise<string> {
  const program = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  const options = ['--profile', 'esm-only', '--format', 'ascii', '--no-definitely-typed', '--no-color']
  const { code, stdout, stderr } = await run(process.execPath, [program, file, ...options])
  return code === 0 ? '' : stdout + stderr
}
