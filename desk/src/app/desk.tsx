import { mount } from '@integrity/shared-ui/web/mount'
import { openDesk } from '../browser/open-desk.ts'
import { deskLanguages } from '../words/desk.ts'
import { DeskPage } from './desk-page.tsx'
import { beginRoom } from './room.tsx'

const open = openDesk()
beginRoom(open.navigation.route(), open)
mount({ languages: deskLanguages, content: <DeskPage open={open} /> })
