import { mount } from '@integrity/shared-ui/web/mount'
import { arrive } from '../../browser/arrive.ts'
import { openInterviewer } from '../../browser/open-interviewer.ts'
import { interviewerLanguages } from '../../texts/interviewer.ts'
import { InterviewerPage } from './interviewer-page.tsx'

const open = () => {
  const link = arrive('interviewer')
  if (link === 'leaving') return null
  return (
    <InterviewerPage visit={typeof link === 'object' ? openInterviewer(link) : undefined} broken={link === 'broken'} />
  )
}

mount({ languages: interviewerLanguages, content: open() })
