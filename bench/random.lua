-- Requests random pages. The address ends with "p=". The argument after "--" is the number of pages.
local base, pages

function init(args)
    base, pages = wrk.path, tonumber(args[1])
    math.randomseed(42)
end

function request()
    return wrk.format("GET", base .. math.random(1, pages))
end

function response(status)
    if status ~= 200 then
        print("unexpected status " .. status)
        wrk.thread:stop()
    end
end
