import { send } from '../api/once.ts'
import type { Format, Messages } from '../messages.ts'

type Words = Pick<Messages['many'], 'kept' | 'rest'> & { readonly undone: string }

/** Undoes an act. @returns what to say of it @throws Refusal */
export async function undoAct(id: number, reason: string, words: Words, format: Format): Promise<string> {
  const [path, body] = [`/moderation/acts/${id}/undo`, { reason }]
  const { conflicts, next } = await send<{ conflicts: readonly unknown[]; next?: number }>('POST', path, body)
  const kept = conflicts.length > 0 && format.count(words.kept, conflicts.length)
  return [words.undone, kept, next !== undefined && words.rest].filter(Boolean).join(' ')
}
