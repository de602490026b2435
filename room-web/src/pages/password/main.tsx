import { mount } from '@integrity/shared-ui/web/mount'
import { arrive } from '../../browser/arrive.ts'
import { openPassword } from '../../browser/open-password.ts'
import { passwordLanguages } from '../../texts/password.ts'
import { PasswordPage } from './password-page.tsx'

const open = () => {
  const link = arrive('password')
  if (link === 'leaving') return null
  return (
    <PasswordPage
      call={openPassword()}
      token={typeof link === 'object' ? link.token : undefined}
      broken={link === 'broken'}
    />
  )
}

mount({ languages: passwordLanguages, content: open() })
