import { mount } from '@integrity/shared-ui/web/mount'
import { arrive } from '../../browser/arrive.ts'
import { openAccess } from '../../browser/open-access.ts'
import { accessLanguages } from '../../texts/access.ts'
import { AccessPage } from './access-page.tsx'

const open = () => {
  const link = arrive('access')
  if (link === 'leaving') return null
  return <AccessPage access={openAccess(typeof link === 'object' ? link : undefined)} broken={link === 'broken'} />
}

mount({ languages: accessLanguages, content: open() })
