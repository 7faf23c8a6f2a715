import { elementBy } from '../../client/element-by.ts'
import { formatFor } from '../../messages.ts'
import type { AccountConfig } from '../config.ts'

export const config: AccountConfig = JSON.parse(elementBy('#account-config').textContent)
export const { words } = config
export const format = formatFor(config.tag)
