import { mount } from '@integrity/shared-ui/web/mount'
import { openDesk } from '../browser/open-desk.ts'
import { deskLanguages } from '../words/desk.ts'
import { DeskPage } from './desk-page.tsx'

mount({ languages: deskLanguages, content: <DeskPage open={openDesk()} /> })
