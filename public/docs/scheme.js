"use strict";(()=>{function t(r){try{return localStorage.getItem(r)}catch{return null}}var e=t("scheme");(e==="light"||e==="dark")&&(document.documentElement.dataset.scheme=e);})();
