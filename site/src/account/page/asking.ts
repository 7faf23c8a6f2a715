import { isAgreed } from '../../ui/dialog.tsx'
import { words } from './config.ts'

/** Asks a question of the account page. */
export const hasAgreed = (question: string, yes: string): Promise<boolean> =>
  isAgreed(question, { yes, no: words.cancel })
