import './theme.ts'
import './menus.ts'
import './labels.ts'
import './sharing.ts'
