import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/mail-sso.ts'

export const texts: Translated<typeof en> = {
  hello: 'नमस्ते,',
  passwordUsedSubject: 'एक स्वामी ने पासवर्ड से साइन-इन किया',
  passwordUsed:
    'स्वामी {address} ने पासवर्ड से साइन-इन किया। आपके संगठन में एकल साइन-ऑन ज़रूरी है; वापस आने के रास्ते के रूप में स्वामियों का पासवर्ड बना रहता है।',
  notThem:
    'अगर इसकी अपेक्षा नहीं थी, तो कृपया उनसे पूछें। साइन-इन किसी ने भी किया हो, उसे उस खाते के पेज पर समाप्त किया जा सकता है, और नया पासवर्ड भी उसे समाप्त कर देता है।',
}
