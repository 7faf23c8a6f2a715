import type { OwnUser } from '@openfountain/core'
import { store, stored } from './client/storage.ts'

/** The first task of a newcomer: to say of some fountains whether they work. This browser keeps its progress. */

const key = 'first-task'

export const firstTaskSize = 3

const dayMilliseconds = 86_400_000

/** Whether somebody has contributed nothing yet. @param xpTonight the XP of today's observations */
export function isNewcomer({ stats, isModerator, xp, createdAt }: OwnUser, xpTonight: number): boolean {
  // Invited people may begin with XP.
  const hasBegun = xpTonight > 0 || (xp > 0 && Date.now() - Date.parse(createdAt) > dayMilliseconds)
  return !isModerator && !hasBegun && Object.values(stats).every((n) => n === 0)
}

export const hasFirstTask = (): boolean => stored(key) !== null

export function firstTaskOf(userId: string | undefined): readonly number[] | undefined {
  const [by, ...seen] = stored(key)?.split(' ') ?? []
  return by !== undefined && by === userId ? seen.map(Number) : undefined
}

/** Notes the fountains; the task ends with the last one, and without fountains it is dropped. */
export function noteFirstTask(userId: string, seen: readonly number[] | undefined): void {
  const isOver = seen === undefined || seen.length >= firstTaskSize
  store(key, isOver ? undefined : [userId, ...seen].join(' '))
}
