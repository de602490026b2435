import { mount } from '@integrity/shared-ui/web/mount'
import { arrive } from '../../browser/arrive.ts'
import { openRequests } from '../../browser/open-requests.ts'
import { requestsLanguages } from '../../texts/requests.ts'
import { RequestsPage } from './requests-page.tsx'

const open = () => {
  const link = arrive('requests')
  if (link === 'leaving') return null
  const requests = openRequests(typeof link === 'object' ? link : undefined)
  return <RequestsPage requests={requests} broken={link === 'broken'} />
}

mount({ languages: requestsLanguages, content: open() })
