import { formatFor } from '../../messages.ts'
import type { AccountConfig } from '../config.ts'
import { the } from '../../client/the.ts'

export { the }

export const config: AccountConfig = JSON.parse(the('#account-config').textContent)
export const { words } = config
export const format = formatFor(config.tag)
