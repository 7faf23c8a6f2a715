import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../packages/folders.ts'

const folder = 'docs/guides'

/**
 * The guides, with their blocks of whole files (such as ```` ```ts examples/bot.ts ````) updated.
 *
 * @param made generated files, by path
 */
export async function guides(made: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith('.md'))
  return new Map(
    await Promise.all(
      names.map(async (name) => {
        const path = `${folder}/${name}`
        return [path, await withFiles(await readFile(join(root, path), 'utf8'), made)] as const
      }),
    ),
  )
}

async function withFiles(text: string, made: ReadonlyMap<string, string>): Promise<string> {
  const parts = text.split(/^(```\w* \S*\/\S*\n)(?:(?!```).*\n)*/mu)
  const filled = await Promise.all(
    parts.map(async (part) => {
      const path = /^```\w* (\S*\/\S*)\n$/u.exec(part)?.[1]
      return path === undefined ? part : part + (made.get(path) ?? (await readFile(join(root, path), 'utf8')))
    }),
  )
  return filled.join('')
}
