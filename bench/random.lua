-- Requests random pages. Each address is the given one, which ends with "p=" for example, and a number from 1 to the argument
-- after "--".
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
